// Loaded into real Electron before the app (`electron -r recorder.cjs .`): what would reach the desktop of whoever runs
// the tests is written down instead. on-electron.ts reads it.
const { app, BrowserWindow, dialog, Notification, shell, Tray } = require('electron')

const record = {
  /** @type {Electron.Notification[]} */
  notifications: [],
  /** @type {string[]} */
  openedExternally: [],
  /** @type {string[]} */
  shownInFolder: [],
  /** @type {string[]} */
  openedPaths: [],
  /** What the next file dialogs answer. */
  /** @type {string[]} */
  nextFiles: [],
  badge: '0',
  toolTip: '',
  /** @type {Electron.Menu | null} */
  trayMenu: null,
}
globalThis.desktopRecord = record

Notification.isSupported = () => true
Notification.prototype.show = function () {
  record.notifications.push(this)
}
shell.openExternal = async (url) => {
  record.openedExternally.push(url)
}
shell.showItemInFolder = (path) => {
  record.shownInFolder.push(path)
}
shell.openPath = async (path) => {
  record.openedPaths.push(path)
  return ''
}
dialog.showOpenDialog = async () => {
  const path = record.nextFiles.shift()
  return path === undefined ? { canceled: true, filePaths: [] } : { canceled: false, filePaths: [path] }
}
// Links stay with the copy that is installed.
app.setAsDefaultProtocolClient = () => true
app.setBadgeCount = (count = 0) => {
  record.badge = String(count)
  return true
}
BrowserWindow.prototype.setOverlayIcon = (_image, description) => {
  record.badge = description.replace(/ .*/, '') || '0'
}
const { setContextMenu, setToolTip } = Tray.prototype
Tray.prototype.setContextMenu = function (menu) {
  record.trayMenu = menu
  setContextMenu.call(this, menu)
}
Tray.prototype.setToolTip = function (text) {
  record.toolTip = text
  setToolTip.call(this, text)
}
