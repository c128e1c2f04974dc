// Words of the page Arena.

export default { en: {}, de: {} };
