// Words of the page Arena: account, lobby, ratings, archive, profiles, bots.

export default {
  en: {
    lobby: 'Lobby', ratings: 'Ratings', archive: 'Games', bots: 'Your bot', sections: 'Parts of the arena',
    account: 'Account', nameAsk: 'Choose a name to challenge others. People and programs meet here.', name: 'Name', nameHint: '2 to 20 letters, digits, - or _', create: 'Take this name', haveKey: 'I have a key', key: 'Key', useKey: 'Use this key',
    signedIn: (name) => `You are ${name}`, profile: 'Profile', showKey: 'Show key', keyAbout: 'Whoever has this key is you here. Keep it to sign in elsewhere, or give it to your bot.', signOut: 'Sign out', sureSignOut: 'Sign out? Without the key nobody can use this name again.', wrongKey: 'This key belongs to no account.',
    challenges: 'Challenges', noChallenges: 'Nobody is waiting. Be the first.', newChallenge: 'New challenge', challenge: 'Challenge', game: 'Game', clock: 'Clock', colour: 'Colour', random: 'Random', rated: 'Rated', casual: 'Casual', toWhom: 'For', toWhomHint: 'a name, or empty for anyone',
    accept: 'Accept', decline: 'Decline', withdraw: 'Withdraw', forYou: 'for you', sent: 'Challenge sent. The game starts as soon as somebody accepts.',
    running: 'Running games', noRunning: 'No game is running.', watch: 'Watch', resume: 'Continue', online: 'Online', nobody: 'Nobody else is here.', bot: 'bot', moveCount: (count) => `move ${count}`,
    lost: 'Connection lost. Trying again …', rating: 'Rating', deviation: '±', games: 'Games', player: 'Player', rank: '#', noRatings: 'No rated games yet.', noGames: 'No games yet.', allGames: 'All games',
    result: 'Result', moves: 'Moves', when: 'When', replay: 'Replay', older: 'Older games', recent: 'Latest games', noPlayer: 'There is nobody of this name.', declined: 'Your challenge was declined.', begun: 'Your challenge was accepted: the game has begun.', toGame: 'To the game', challengesYou: (name) => `${name} challenges you:`, challengeThem: (name) => `Challenge ${name}`,
    botTitle: 'Let your program play', botAbout: 'A bot is an account that a program plays with. It speaks HTTP and WebSocket with JSON; every message it gets holds the legal moves, so it needs no rules of its own.',
    botSteps: ['Make an account for it here; its key is shown once.', 'Run the example client with the key, or write your own.', 'It appears under “Online”; challenge it as you would a person.'],
    botName: 'Name of the bot', botCreate: 'Make the account', botKey: 'Key of your bot, shown only now:', botRun: 'Start the example with it:', botDocs: 'The messages are described in docs/bots.md.',
    wins: (side) => `${side} won`, draw: 'Draw', minutes: (minutes, increment) => `${minutes} min${increment ? ` + ${increment} s` : ''}`, noClock: 'No clock', correspondence: 'No clock (correspondence)', yourTurnIn: (game) => `It is your turn: ${game}`,
  },
  de: {
    lobby: 'Lobby', ratings: 'Rangliste', archive: 'Partien', bots: 'Dein Bot', sections: 'Teile der Arena',
    account: 'Konto', nameAsk: 'Wähle einen Namen, um andere herauszufordern. Hier treffen sich Menschen und Programme.', name: 'Name', nameHint: '2 bis 20 Buchstaben, Ziffern, - oder _', create: 'Diesen Namen nehmen', haveKey: 'Ich habe einen Schlüssel', key: 'Schlüssel', useKey: 'Schlüssel benutzen',
    signedIn: (name) => `Du bist ${name}`, profile: 'Profil', showKey: 'Schlüssel zeigen', keyAbout: 'Wer diesen Schlüssel hat, ist hier du. Heb ihn auf, um dich anderswo anzumelden, oder gib ihn deinem Bot.', signOut: 'Abmelden', sureSignOut: 'Abmelden? Ohne den Schlüssel kann niemand diesen Namen wieder benutzen.', wrongKey: 'Zu diesem Schlüssel gibt es kein Konto.',
    challenges: 'Herausforderungen', noChallenges: 'Niemand wartet. Mach den Anfang.', newChallenge: 'Neue Herausforderung', challenge: 'Herausfordern', game: 'Spiel', clock: 'Uhr', colour: 'Farbe', random: 'Zufall', rated: 'Gewertet', casual: 'Ungewertet', toWhom: 'Für', toWhomHint: 'ein Name, oder leer für alle',
    accept: 'Annehmen', decline: 'Ablehnen', withdraw: 'Zurückziehen', forYou: 'für dich', sent: 'Abgeschickt. Die Partie beginnt, sobald jemand annimmt.',
    running: 'Laufende Partien', noRunning: 'Gerade läuft keine Partie.', watch: 'Zuschauen', resume: 'Weiterspielen', online: 'Anwesend', nobody: 'Sonst ist niemand da.', bot: 'Bot', moveCount: (count) => `Zug ${count}`,
    lost: 'Verbindung unterbrochen. Neuer Versuch …', rating: 'Wertung', deviation: '±', games: 'Partien', player: 'Spieler', rank: '#', noRatings: 'Noch keine gewerteten Partien.', noGames: 'Noch keine Partien.', allGames: 'Alle Spiele',
    result: 'Ergebnis', moves: 'Züge', when: 'Wann', replay: 'Nachspielen', older: 'Ältere Partien', recent: 'Letzte Partien', noPlayer: 'Niemand heißt so.', declined: 'Deine Herausforderung wurde abgelehnt.', begun: 'Deine Herausforderung ist angenommen: die Partie hat begonnen.', toGame: 'Zur Partie', challengesYou: (name) => `${name} fordert dich heraus:`, challengeThem: (name) => `${name} herausfordern`,
    botTitle: 'Lass dein Programm spielen', botAbout: 'Ein Bot ist ein Konto, mit dem ein Programm spielt. Es spricht HTTP und WebSocket mit JSON; jede Nachricht enthält die erlaubten Züge, es braucht also selbst keine Regeln.',
    botSteps: ['Leg hier ein Konto für ihn an; sein Schlüssel wird einmal gezeigt.', 'Starte den Beispiel-Client mit dem Schlüssel oder schreib einen eigenen.', 'Er erscheint unter „Anwesend“; fordere ihn heraus wie einen Menschen.'],
    botName: 'Name des Bots', botCreate: 'Konto anlegen', botKey: 'Schlüssel deines Bots, nur jetzt zu sehen:', botRun: 'So startest du das Beispiel damit:', botDocs: 'Die Nachrichten stehen in docs/bots.md.',
    wins: (side) => `${side} gewann`, draw: 'Unentschieden', minutes: (minutes, increment) => `${minutes} min${increment ? ` + ${increment} s` : ''}`, noClock: 'Ohne Uhr', correspondence: 'Ohne Uhr (Fernpartie)', yourTurnIn: (game) => `Du bist am Zug: ${game}`,
  },
};
