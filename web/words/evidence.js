// The words of sequential tests.

export default {
  en: {
    tests: 'Tests',
    ratio: 'Log-likelihood ratio by games',
    open: (ratio) => `${ratio}, no answer yet`,
    H1: (ratio) => `${ratio}: the stronger hypothesis holds`,
    H0: (ratio) => `${ratio}: the weaker hypothesis holds`,
  },
  de: {
    tests: 'Tests',
    ratio: 'Log-Likelihood-Quotient nach Partien',
    open: (ratio) => `${ratio}, noch keine Antwort`,
    H1: (ratio) => `${ratio}: die stärkere Annahme gilt`,
    H0: (ratio) => `${ratio}: die schwächere Annahme gilt`,
  },
};
