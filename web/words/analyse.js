// Words of the page Analyse.

export default {
  en: {
    paste: 'Paste or load', pasteTip: 'A position or game in any notation', setUp: 'Set up', flip: 'Flip', save: 'Save', playHere: 'Play from here', game: 'Game',
    pasteTitle: 'Paste a position or game', pasteAbout: 'Anything is recognised: moves, positions, game files, OBF, GGF, SGF. Ctrl+V works anywhere on this page.', read: 'Read it', file: 'Open a file', readAs: (format, game) => `Read as ${format}: ${game}`, moreGames: (count) => `the first of ${count} games`,
    engine: 'Engine', lines: 'Lines', evaluation: 'Evaluation', usual: 'Usual', arrows: 'Arrows and values', depth: (depth, deep) => `depth ${depth}/${deep}`, nodes: (nodes, speed) => `${nodes} nodes, ${speed}/s`, waiting: 'Waiting for a free engine …', thinking: 'thinking …', deeper: 'Think longer', ended: 'The game has ended.',
    forBlack: 'Value for Black', curve: 'Value over the game', winsIn: (side, plies) => `${side} wins in ${plies}`, winsSure: (side) => `${side} wins`, playLine: 'Go to this position',
    toGame: 'Back to the game', variation: 'A line of your own',
    review: 'Review the game', reviewing: (done, of) => `Looking at position ${done} of ${of}`, stop: 'Stop', noReview: 'Play or paste a game, then let it be reviewed.', inaccuracy: 'Inaccuracies', mistake: 'Mistakes', blunder: 'Blunders',
    wasInaccuracy: 'is inaccurate', wasMistake: 'is a mistake', wasBlunder: 'is a blunder', wasGood: 'is good', wasBest: 'is the best move', better: 'Better was', lostDiscs: (loss) => `${loss} discs given away`, lostChance: (loss) => `${loss} % less chance to win`, reviewFailed: (why) => `The review stopped: ${why}`, again: 'Review again', nextMark: 'Next mark',
    why: 'Why?', whyAbout: (side) => `What the evaluation sees, for ${side}`, heat: 'Show on the board', term: 'Term', amount: 'How much', weight: 'Weight', adds: 'Adds', total: 'Total', rest: (count) => `${count} smaller terms`, noTerms: 'No term says anything here.', link: (name) => `(${name} of the sum)`,
    known: 'What is known', tablebase: 'Tablebase', book: 'Book', solver: 'Exact endgame', win: 'win', loss: 'loss', drawn: 'draw', inPlies: (plies) => `in ${plies}`, solvedIn: (nodes, seconds) => `${nodes} nodes, ${seconds} s`, results: (won, drawn, lost) => `+${won} =${drawn} −${lost}`, untried: 'not played yet', advised: 'the book plays this', asking: 'Asking …',
    clear: 'Clear', startPosition: 'Start position', toMove: 'To move', brush: 'Put', erase: 'Nothing', hand: (side) => `${side} in hand`, ejected: (side) => `Ejected by ${side}`, use: 'Analyse it', setUpAbout: 'Choose what to put, then click cells. Clicking the same stone again takes it off.',
    keysAbout: '← → step, Space plays the best move, F flips, L engine on and off', tools: 'Tools',
  },
  de: {
    paste: 'Einfügen oder öffnen', pasteTip: 'Eine Stellung oder Partie in jeder Schreibweise', setUp: 'Aufbauen', flip: 'Drehen', save: 'Speichern', playHere: 'Ab hier spielen', game: 'Spiel',
    pasteTitle: 'Stellung oder Partie einfügen', pasteAbout: 'Alles wird erkannt: Züge, Stellungen, Partiedateien, OBF, GGF, SGF. Strg+V geht überall auf dieser Seite.', read: 'Lesen', file: 'Datei öffnen', readAs: (format, game) => `Gelesen als ${format}: ${game}`, moreGames: (count) => `die erste von ${count} Partien`,
    engine: 'Computer', lines: 'Varianten', evaluation: 'Bewertung', usual: 'Übliche', arrows: 'Pfeile und Werte', depth: (depth, deep) => `Tiefe ${depth}/${deep}`, nodes: (nodes, speed) => `${nodes} Knoten, ${speed}/s`, waiting: 'Wartet auf einen freien Computer …', thinking: 'denkt …', deeper: 'Länger nachdenken', ended: 'Die Partie ist zu Ende.',
    forBlack: 'Wert für Schwarz', curve: 'Wert im Lauf der Partie', winsIn: (side, plies) => `${side} gewinnt in ${plies}`, winsSure: (side) => `${side} gewinnt`, playLine: 'Zu dieser Stellung',
    toGame: 'Zurück zur Partie', variation: 'Eine eigene Variante',
    review: 'Partie durchsehen', reviewing: (done, of) => `Stellung ${done} von ${of}`, stop: 'Anhalten', noReview: 'Spiele oder füge eine Partie ein und lass sie dann durchsehen.', inaccuracy: 'Ungenauigkeiten', mistake: 'Fehler', blunder: 'Grobe Fehler',
    wasInaccuracy: 'ist ungenau', wasMistake: 'ist ein Fehler', wasBlunder: 'ist ein grober Fehler', wasGood: 'ist gut', wasBest: 'ist der beste Zug', better: 'Besser war', lostDiscs: (loss) => `${loss} Steine verschenkt`, lostChance: (loss) => `${loss} % weniger Gewinnaussicht`, reviewFailed: (why) => `Die Durchsicht brach ab: ${why}`, again: 'Noch einmal durchsehen', nextMark: 'Nächste Marke',
    why: 'Warum?', whyAbout: (side) => `Was die Bewertung sieht, für ${side}`, heat: 'Auf dem Brett zeigen', term: 'Glied', amount: 'Wie viel', weight: 'Gewicht', adds: 'Beitrag', total: 'Summe', rest: (count) => `${count} kleinere Glieder`, noTerms: 'Hier sagt kein Glied etwas.', link: (name) => `(${name} der Summe)`,
    known: 'Was man weiß', tablebase: 'Endspieltabellen', book: 'Buch', solver: 'Exaktes Endspiel', win: 'gewonnen', loss: 'verloren', drawn: 'unentschieden', inPlies: (plies) => `in ${plies}`, solvedIn: (nodes, seconds) => `${nodes} Knoten, ${seconds} s`, results: (won, drawn, lost) => `+${won} =${drawn} −${lost}`, untried: 'noch nicht gespielt', advised: 'das spielt das Buch', asking: 'Fragt nach …',
    clear: 'Leeren', startPosition: 'Anfangsstellung', toMove: 'Am Zug', brush: 'Setze', erase: 'Nichts', hand: (side) => `${side} in der Hand`, ejected: (side) => `Hinausgeschoben von ${side}`, use: 'Analysieren', setUpAbout: 'Wähle, was gesetzt wird, und klicke auf Felder. Ein zweiter Klick nimmt den Stein wieder weg.',
    keysAbout: '← → blättern, Leertaste spielt den besten Zug, F dreht, L Computer an und aus', tools: 'Werkzeuge',
  },
};
