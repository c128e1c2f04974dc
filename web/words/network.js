// Words of the dialog for networks, and of the opponent that learns from games.

export default {
  en: {
    newNetwork: 'New network', name: 'Name', nameHint: 'a-z, 0-9 and dashes', game: 'Game', features: 'Features', create: 'Make it', layers: 'Hidden layers', layersAbout: (inputs) => `${inputs} inputs, then these layers, then three outputs: win, draw, loss. Without a hidden layer it weighs the features straight.`, addLayer: 'Add a layer', removeLayer: 'Remove', nodes: 'Nodes', activation: 'Activation', tanh: 'tanh', logistic: 'logistic', relu: 'ReLU', linear: 'linear',
    rates: 'How it learns', rate: 'Learning rate', rateHint: 'how far a weight moves at a time', momentum: 'Momentum', momentumHint: 'how much of its last move a weight makes again', lambda: 'Lambda', lambdaHint: 'how much the later positions of a game teach the earlier ones', spread: 'First weights up to', spreadHint: 'drawn by lot from minus to plus this',
    networkOf: (layers) => (layers ? `network ${layers}` : 'network without a hidden layer'), gamesLearned: (count) => (count === 1 ? '1 game learned from' : `${count} games learned from`), trainNetwork: 'Train it', teachIt: 'Play and teach it', teachItTip: 'It learns from every game that you end against it',
  },
  de: {
    newNetwork: 'Neues Netz', name: 'Name', nameHint: 'a-z, 0-9 und Bindestriche', game: 'Spiel', features: 'Merkmale', create: 'Anlegen', layers: 'Verdeckte Schichten', layersAbout: (inputs) => `${inputs} Eingänge, dann diese Schichten, dann drei Ausgänge: gewonnen, unentschieden, verloren. Ohne verdeckte Schicht gewichtet es die Merkmale unmittelbar.`, addLayer: 'Schicht hinzufügen', removeLayer: 'Entfernen', nodes: 'Knoten', activation: 'Aktivierung', tanh: 'tanh', logistic: 'logistisch', relu: 'ReLU', linear: 'linear',
    rates: 'Wie es lernt', rate: 'Lernrate', rateHint: 'wie weit sich ein Gewicht jedes Mal bewegt', momentum: 'Momentum', momentumHint: 'wie viel seiner letzten Bewegung ein Gewicht wiederholt', lambda: 'Lambda', lambdaHint: 'wie viel die späteren Stellungen einer Partie die früheren lehren', spread: 'Erste Gewichte bis', spreadHint: 'ausgelost von minus bis plus diesem Wert',
    networkOf: (layers) => (layers ? `Netz ${layers}` : 'Netz ohne verdeckte Schicht'), gamesLearned: (count) => (count === 1 ? 'aus 1 Partie gelernt' : `aus ${count} Partien gelernt`), trainNetwork: 'Trainieren', teachIt: 'Spielen und lehren', teachItTip: 'Es lernt aus jeder Partie, die du gegen es beendest',
  },
};
