export const session = {
  linkedServer: 'You opened a link to a server. To use it, sign out first.',
  noServer: 'Vignette’s server did not start',
  noServerBody: 'The app could not find out which server to use.',
  notKept: 'This system offers no keychain, so you stay signed in only until Vignette closes.',
  locked:
    'Your keyring is locked. Unlock it and restart Vignette. Until then a sign-in lasts only until Vignette closes.',
  restart: 'Restart',
  keepAnyway: 'Keep me signed in anyway',
  notKeptHere:
    'Not kept on this computer: its storage is full or cannot be used. What is not sent is lost when this window closes.',
  understood: 'OK',
  restored: (from: string) =>
    `Vignette’s data was restored from the backup of ${new Date(from).toLocaleString()}. What was there before is kept in the data folder.`,
  backendRestarting: 'Vignette’s server stopped and is being restarted…',
  backendFailed: 'Vignette’s server does not start.',
} as const

export const desktop = {
  sentPhoto: 'Sent a photo',
  reloaded: 'Vignette’s window had to be opened again. Nothing you posted is lost.',
  restore: 'Restore last snapshot',
  restoreTitle: 'Restore the last snapshot?',
  restoreBody:
    'What was posted and written since then will be missing. The data of now is kept in the data folder.',
  showDataFolder: 'Show data folder',
  graphicsCrashed:
    'Hardware acceleration is off, because your graphics driver kept crashing. You can turn it on again in the settings.',
} as const
