// Words of the page My games.

export default {
  en: {
    title: 'My games', about: 'Every game of this browser, and of your account if you have one.', search: 'Search', searchHint: 'name, result, date', all: 'All', running: 'Going on', won: 'Won', lost: 'Lost', drawn: 'Drawn', over: 'Ended',
    which: 'Which games', none: 'No games yet.', noneSuch: 'No game like that.', open: 'Go on', replay: 'Replay', analyse: 'Analyse', yourTurn: 'Your turn', theirTurn: 'Going on', opponent: 'Opponent', result: 'Result', moves: 'Moves', when: 'Played', game: 'Game', here: 'at one screen', away: 'Games of your account cannot be asked for now: the server is away. These are remembered here.', more: 'Older games', newGame: 'New game',
    levelName: (number) => `Computer, level ${number}`, computer: 'Computer', learning: 'Learning computer', guest: 'Guest', watched: 'both sides', resultWon: 'Won', resultLost: 'Lost', resultDrawn: 'Draw',
  },
  de: {
    title: 'Meine Partien', about: 'Alle Partien dieses Browsers, und deines Kontos, wenn du eins hast.', search: 'Suchen', searchHint: 'Name, Ergebnis, Datum', all: 'Alle', running: 'Laufend', won: 'Gewonnen', lost: 'Verloren', drawn: 'Remis', over: 'Beendet',
    which: 'Welche Partien', none: 'Noch keine Partien.', noneSuch: 'Keine solche Partie.', open: 'Weiter', replay: 'Nachspielen', analyse: 'Analyse', yourTurn: 'Du bist am Zug', theirTurn: 'Läuft', opponent: 'Gegner', result: 'Ergebnis', moves: 'Züge', when: 'Gespielt', game: 'Spiel', here: 'an einem Bildschirm', away: 'Partien deines Kontos lassen sich gerade nicht erfragen: der Server ist nicht erreichbar. Diese sind hier gemerkt.', more: 'Ältere Partien', newGame: 'Neue Partie',
    levelName: (number) => `Computer, Stufe ${number}`, computer: 'Computer', learning: 'Lernender Computer', guest: 'Gast', watched: 'beide Seiten', resultWon: 'Gewonnen', resultLost: 'Verloren', resultDrawn: 'Remis',
  },
};
