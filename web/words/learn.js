// Words of the page Learn.

export default {
  en: {
    sections: 'Sections', runs: 'Training', heuristics: 'Heuristics', studies: 'Studies', tournaments: 'Tournaments',
    runsAbout: 'A training run plays games, learns from them and ends with an evaluation that can play at once. Runs go on while you do something else, and can be stopped and resumed.',
    newRun: 'New training run', noRuns: 'Nothing has been trained yet.', name: 'Name', nameHint: 'a-z, 0-9 and dashes', example: 'Begin with', config: 'Settings', configHint: 'Everything can be changed; what stands behind # explains it.', begin: 'Start training', game: 'Game',
    running: 'running', elsewhere: 'running in another program', stopped: 'stopped', finished: 'finished', failed: 'failed',
    stop: 'Stop', resume: 'Resume', remove: 'Delete', sureRemove: (name) => `Delete “${name}” for good?`, playIt: 'Play against it', analyseIt: 'Analyse with it', watch: 'Open', allRuns: 'All runs',
    done: (per) => `${per} % done`, games: (count) => `${count} games`, speed: (count) => `${count} games/s`, remaining: (time) => `${time} to go`, seconds: (count) => `${count} s`, minutes: (count) => `${count} min`, hours: (count) => `${count} h`, noCurves: 'The first point comes soon.', log: 'Log',
    heuristicsAbout: 'Make an evaluation of your own: choose what counts and how much. It can play at once.', newHeuristic: 'New heuristic', noHeuristics: 'No heuristics yet.', features: 'Features', material: 'Material (the game’s own count)', weightOf: (name) => `Weight of ${name}`, filter: 'Find a feature', create: 'Save', trainIt: 'Train these features', weighed: (count) => `${count} features weighed`, edit: 'Change', exists: 'There is one of this name already. Save over it?', over: 'Save over it',
    studiesAbout: 'Reports of the published studies, repeated with this program.', noStudies: 'This program was built without reports. `trilith study` makes them.', openReport: 'Read the report', findings: (confirmed, refuted, open) => `${confirmed} findings confirmed, ${refuted} not, ${open} open`,
    tournamentsAbout: 'Tournaments in the data folder, live while they are played.', noTournaments: 'None yet. This plays one and shows it here:', player: 'Player', points: 'Points', elo: 'Elo', faults: 'Faults', played: (games, planned) => `${games} of ${planned} games`, live: 'live', allTournaments: 'All tournaments', crossTable: 'Cross table', standings: 'Standings', won: 'Won', drawnGames: 'Drawn', lostGames: 'Lost', versus: (a, b) => `${a} against ${b}`,
  },
  de: {
    sections: 'Abschnitte', runs: 'Training', heuristics: 'Heuristiken', studies: 'Studien', tournaments: 'Turniere',
    runsAbout: 'Ein Trainingslauf spielt Partien, lernt aus ihnen und endet mit einer Bewertung, die sofort spielen kann. Läufe gehen weiter, während du anderes tust, und lassen sich anhalten und fortsetzen.',
    newRun: 'Neuer Trainingslauf', noRuns: 'Es wurde noch nichts trainiert.', name: 'Name', nameHint: 'a-z, 0-9 und Bindestriche', example: 'Beginne mit', config: 'Einstellungen', configHint: 'Alles lässt sich ändern; was hinter # steht, erklärt es (auf Englisch).', begin: 'Training starten', game: 'Spiel',
    running: 'läuft', elsewhere: 'läuft in einem anderen Programm', stopped: 'angehalten', finished: 'fertig', failed: 'gescheitert',
    stop: 'Anhalten', resume: 'Fortsetzen', remove: 'Löschen', sureRemove: (name) => `„${name}“ endgültig löschen?`, playIt: 'Dagegen spielen', analyseIt: 'Damit analysieren', watch: 'Öffnen', allRuns: 'Alle Läufe',
    done: (per) => `${per} % geschafft`, games: (count) => `${count} Partien`, speed: (count) => `${count} Partien/s`, remaining: (time) => `noch ${time}`, seconds: (count) => `${count} s`, minutes: (count) => `${count} min`, hours: (count) => `${count} h`, noCurves: 'Der erste Punkt kommt bald.', log: 'Protokoll',
    heuristicsAbout: 'Baue eine eigene Bewertung: wähle, was zählt und wie viel. Sie kann sofort spielen.', newHeuristic: 'Neue Heuristik', noHeuristics: 'Noch keine Heuristiken.', features: 'Merkmale', material: 'Material (was das Spiel selbst zählt)', weightOf: (name) => `Gewicht von ${name}`, filter: 'Merkmal suchen', create: 'Speichern', trainIt: 'Diese Merkmale trainieren', weighed: (count) => `${count} Merkmale gewichtet`, edit: 'Ändern', exists: 'Es gibt schon eine mit diesem Namen. Überschreiben?', over: 'Überschreiben',
    studiesAbout: 'Berichte der veröffentlichten Studien, mit diesem Programm wiederholt.', noStudies: 'Dieses Programm wurde ohne Berichte gebaut. `trilith study` erzeugt sie.', openReport: 'Bericht lesen', findings: (confirmed, refuted, open) => `${confirmed} Ergebnisse bestätigt, ${refuted} nicht, ${open} offen`,
    tournamentsAbout: 'Turniere im Datenordner, live, während sie gespielt werden.', noTournaments: 'Noch keine. So wird eines gespielt und hier gezeigt:', player: 'Spieler', points: 'Punkte', elo: 'Elo', faults: 'Ausfälle', played: (games, planned) => `${games} von ${planned} Partien`, live: 'live', allTournaments: 'Alle Turniere', crossTable: 'Kreuztabelle', standings: 'Stand', won: 'Gewonnen', drawnGames: 'Remis', lostGames: 'Verloren', versus: (a, b) => `${a} gegen ${b}`,
  },
};
