// Loaded into real Electron before the app (`electron -r recorder.cjs .`). It records notifications, badge, dialogs and opened
// files instead of showing them on the tester's desktop, and decides whether somebody uses the computer: Playwright's input does not
// reach the system. on-electron.ts reads the records.
//
// With VIGNETTE_SYSTEM_REPORT (the workflow `check`) the system also shows the notifications and the badge, and the file gets a
// line about what it did. Its answers do not reach the app, whose tests must not depend on the machine.
const { appendFileSync } = require('node:fs')
const Module = require('node:module')
const electron = require('electron')

const { app, BrowserWindow, dialog, Notification, powerMonitor, shell, Tray } = electron

const record = {
  /** @type {Electron.Notification[]} */
  notifications: [],
  /** @type {Set<Electron.Notification>} */
  onScreen: new Set(),
  /** @type {string[]} */
  openedExternally: [],
  /** @type {string[]} */
  shownInFolder: [],
  /** @type {string[]} */
  openedPaths: [],
  /** The files for the next dialogs. */
  /** @type {string[]} */
  nextFiles: [],
  badge: '0',
  /** @type {{ fraction: number, isPaused: boolean } | null} */
  progress: null,
  toolTip: '',
  /** @type {Electron.Menu | null} */
  trayMenu: null,
  idleTime: 0,
  releaseBackend() {},
}
globalThis.desktopRecord = record

const systemReport = process.env.VIGNETTE_SYSTEM_REPORT
/** @type {(part: string, ask: () => string) => void} */
const askSystem = (part, ask) => {
  if (!systemReport) return
  let answer
  try {
    answer = ask()
  } catch (cause) {
    answer = `refused (${cause})`
  }
  appendFileSync(systemReport, `${part}\t${answer}\n`)
}

const { isSupported } = Notification
const { show: showNotification, close: closeNotification } = Notification.prototype
Notification.isSupported = () => true
Notification.prototype.show = function () {
  record.notifications.push(this)
  record.onScreen.add(this)
  askSystem('notifications', () => {
    if (!isSupported.call(Notification)) return 'replaced: the system has none'
    this.emit = (event, _details, error) => {
      if (event === 'show') askSystem('notifications', () => 'shown')
      if (event === 'failed') askSystem('notifications', () => `refused (${error})`)
      return true
    }
    showNotification.call(this)
    return 'given to the system'
  })
}
Notification.prototype.close = function () {
  record.onScreen.delete(this)
  askSystem('notifications', () => {
    closeNotification.call(this)
    return 'given to the system'
  })
}
powerMonitor.getSystemIdleTime = () => record.idleTime
powerMonitor.getSystemIdleState = (threshold) => (record.idleTime >= threshold ? 'idle' : 'active')
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
// Do not change the link handler of an installed copy.
app.setAsDefaultProtocolClient = () => true
const { setBadgeCount } = app
app.setBadgeCount = (count = 0) => {
  record.badge = String(count)
  askSystem('badge', () => (setBadgeCount.call(app, count) ? 'shown' : 'refused (no desktop entry)'))
  return true
}
const { setOverlayIcon } = BrowserWindow.prototype
BrowserWindow.prototype.setOverlayIcon = function (image, description) {
  record.badge = description.replace(/ .*/, '') || '0'
  askSystem('badge', () => {
    setOverlayIcon.call(this, image, description)
    return 'shown'
  })
}
const { setProgressBar } = BrowserWindow.prototype
BrowserWindow.prototype.setProgressBar = function (fraction, ...options) {
  const isPaused = process.platform === 'win32' && options[0]?.mode === 'paused'
  record.progress = fraction < 0 ? null : { fraction, isPaused }
  setProgressBar.call(this, fraction, ...options)
}
// A headless Wayland compositor has no seat, so it neither activates windows nor restores minimized ones. Emit the
// events that a compositor with a seat would send.
if (process.env.WAYLAND_DISPLAY && !process.env.DISPLAY) {
  const { show, hide } = BrowserWindow.prototype
  /** @type {WeakMap<Electron.BrowserWindow, 'active' | 'inactive' | 'minimized'>} */
  const states = new WeakMap()
  /** @type {(state: 'active' | 'inactive' | 'minimized', ...events: string[]) => () => void} */
  const becomes = (state, ...events) =>
    function () {
      if (states.get(this) === state) return
      states.set(this, state)
      for (const event of events) this.emit(event)
    }
  const focus = becomes('active', 'focus')
  const blur = becomes('inactive', 'blur')
  Object.assign(BrowserWindow.prototype, {
    isFocused() {
      return states.get(this) === 'active'
    },
    isMinimized() {
      return states.get(this) === 'minimized'
    },
    focus,
    blur,
    minimize: becomes('minimized', 'minimize', 'blur'),
    restore: becomes('active', 'restore', 'focus'),
    show() {
      show.call(this)
      focus.call(this)
    },
    hide() {
      hide.call(this)
      blur.call(this)
    },
  })
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

if (process.env.RECORDER_BACKEND === 'held') {
  // The app's messages to its backend wait; the first one starts it. Electron's own object cannot be changed.
  /** @type {(() => void)[] | null} */
  let held = []
  record.releaseBackend = () => {
    for (const send of held ?? []) send()
    held = null
  }
  /** @type {typeof electron.utilityProcess.fork} */
  const fork = (...args) => {
    const child = electron.utilityProcess.fork(...args)
    const post = child.postMessage.bind(child)
    child.postMessage = (...message) => {
      if (held === null) post(...message)
      else held.push(() => post(...message))
    }
    return child
  }
  const forApp = new Proxy(electron, {
    get: (target, name) => (name === 'utilityProcess' ? { fork } : Reflect.get(target, name)),
  })
  /** @type {{ _load(request: string, ...rest: unknown[]): unknown }} */
  const loader = /** @type {any} */ (Module)
  const load = loader._load
  loader._load = function (request, ...rest) {
    return request === 'electron' ? forApp : load.call(this, request, ...rest)
  }
}
