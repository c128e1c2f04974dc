// Words of the settings.

export default {
  en: {
    myName: 'My name', myNameAbout: 'What partners see when you sit down at their table. An account in the arena has its own.', settings: 'Settings', board: 'Board', stones: 'Stones', coordinates: 'Coordinates on the board', sound: 'Sounds', premoves: 'Moves in advance', premovesAbout: 'While the other thinks, click what you will play: it is played at once if it is legal then.',
    notifications: 'Notifications', notificationsAbout: 'Say when it is your turn while this tab is in the background.', valuesFor: 'Values are told for', valuesAbout: 'Plus is good for this side, everywhere and whoever is to move.',
    'board-classic': 'Classic', 'board-walnut': 'Walnut', 'board-slate': 'Slate', 'stones-classic': 'Classic', 'stones-bright': 'Bright', 'stones-flat': 'Flat',
  },
  de: {
    myName: 'Mein Name', myNameAbout: 'Was andere sehen, wenn du dich an ihren Tisch setzt. Ein Konto in der Arena hat einen eigenen.', settings: 'Einstellungen', board: 'Brett', stones: 'Steine', coordinates: 'Koordinaten auf dem Brett', sound: 'Klänge', premoves: 'Züge im Voraus', premovesAbout: 'Klicke, was du spielen willst, während der andere denkt: es wird sofort gespielt, wenn es dann erlaubt ist.',
    notifications: 'Benachrichtigungen', notificationsAbout: 'Sagen, dass du am Zug bist, wenn dieser Tab im Hintergrund ist.', valuesFor: 'Werte gelten für', valuesAbout: 'Plus ist gut für diese Seite, überall und wer auch am Zug ist.',
    'board-classic': 'Klassisch', 'board-walnut': 'Nussbaum', 'board-slate': 'Schiefer', 'stones-classic': 'Klassisch', 'stones-bright': 'Bunt', 'stones-flat': 'Flach',
  },
};
