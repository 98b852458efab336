import { isolate } from '#/shared/bidi'

/** All texts that the main process shows. */
export const texts = {
  product: 'Vignette',
  pick: {
    photo: { title: 'Choose a photo', filter: 'Photos' },
    photos: 'Choose photos',
    avatar: { title: 'Choose a profile photo', filter: 'Photos' },
    anyFile: 'All files',
    unreadable: (name: string) => `“${isolate(name)}” cannot be read.`,
  },
  bridge: {
    refused: 'This call is not allowed.',
    invalid: 'This call has invalid arguments.',
    tooOften: 'Too many requests. Wait a moment and try again.',
    failed: 'Something went wrong. The log has the details.',
  },
  backend: { stopped: 'It ended unexpectedly.' },
  server: {
    fixed: 'This copy of Vignette is set up for one server.',
    lostTitle: 'Vignette uses the server on this computer',
    lostBody:
      'The file with your choice of a server cannot be read. If you use another server, choose it again on the sign-in screen. Nothing you posted there is lost.',
  },
  mailFile: { none: 'This server sends real emails, so there is no file to show.' },
  notices: {
    reply: 'Reply',
    send: 'Send',
    markAsRead: 'Mark as Read',
    several: {
      message: (count: number) => `${count} new messages`,
      like: (count: number) => `${count} new likes`,
      comment: (count: number) => `${count} new comments`,
      mention: (count: number) => `${count} new mentions`,
      reply: (count: number) => `${count} new replies`,
      comment_like: (count: number) => `${count} new likes of your comments`,
      follow: (count: number) => `${count} new followers`,
      request: (count: number) => `${count} new follow requests`,
      accepted: (count: number) => `${count} follow requests accepted`,
      story_view: (count: number) => `${count} people viewed your story`,
      hidden: (count: number) => `${count} new notifications`,
    },
  },
  tray: {
    open: 'Open Vignette',
    openUnread: (count: string) => `Open Vignette (${count} unread)`,
    unread: (count: string) => `${count} unread`,
    messages: 'Messages',
    newPost: 'New Post',
    quit: 'Quit Vignette',
    hintTitle: 'Vignette keeps running',
    hintBody:
      'Open it from the tray or start it again. In the settings you can choose to quit when the window closes.',
  },
  menu: {
    newPost: 'New Post',
    messages: 'Messages',
    settings: 'Settings…',
    find: 'Find…',
    go: 'Go',
    back: 'Back',
    forward: 'Forward',
    // As Electron names them in its own Edit menu.
    substitutions: 'Substitutions',
    speech: 'Speech',
    copyDiagnostics: 'Copy Diagnostics',
    openLog: 'Open Log',
    showDataFolder: 'Show Data Folder',
    checkForUpdates: 'Check for Updates…',
    updatesOff: 'Updates are off for this copy',
  },
  contextMenu: {
    addToDictionary: 'Add to Dictionary',
    copyImage: 'Copy Picture',
    saveImage: 'Save Picture As…',
    copyLink: 'Copy Link',
    lookUp: (text: string) => `Look Up “${isolate(text)}”`,
    noSuggestions: 'No Suggestions',
  },
  savePicture: {
    fileName: 'Vignette photo',
    failedTitle: 'The picture was not saved',
    failedBody: 'Check that there is enough space and that you may write to the folder, then try again.',
  },
  applications: {
    title: 'Move Vignette to the Applications folder?',
    body: 'From where it is now, Vignette cannot be updated. It starts again after the move.',
    move: 'Move to Applications',
    notNow: 'Not Now',
    failedTitle: 'Vignette was not moved',
    failedBody: 'Quit Vignette and drag it to the Applications folder.',
  },
  startup: {
    title: 'Vignette cannot start',
    body: (log: string) => `Something unexpected happened. The log has the details:\n${log}`,
  },
  defect: {
    title: 'Vignette has to close',
    body: (log: string) =>
      `Something unexpected happened. Nothing you posted is lost. The log has the details:\n${log}`,
  },
  unresponsive: {
    title: 'Vignette does not respond',
    body: 'You can wait, or reload the window. Unsent messages are kept.',
    wait: 'Wait',
    reload: 'Reload',
  },
  crash: {
    title: 'Vignette’s window keeps crashing',
    body: 'Please start Vignette again. Nothing you posted is lost.',
  },
} as const
