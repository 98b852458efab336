import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron'
import type {
  BridgeArguments,
  BridgeChannel,
  BridgeEvent,
  BridgeEvents,
  BridgeReply,
  BridgeResults,
  DesktopBridge,
} from '#/shared/bridge'
import { BridgeError } from '#/shared/bridge-error'

function call<C extends BridgeChannel>(channel: C) {
  return async (...args: BridgeArguments<C>): Promise<BridgeResults[C]> => {
    const reply: BridgeReply<BridgeResults[C]> = await ipcRenderer.invoke(channel, ...args)
    if (reply.ok) return reply.value
    throw new BridgeError(reply.error.code, reply.error.message)
  }
}

function listen<E extends BridgeEvent>(event: E) {
  return (listener: (value: BridgeEvents[E]) => void): (() => void) => {
    // The event object is not passed on: it exposes ipcRenderer.
    const forward = (_event: IpcRendererEvent, value: BridgeEvents[E]) => listener(value)
    ipcRenderer.on(event, forward)
    return () => {
      ipcRenderer.removeListener(event, forward)
    }
  }
}

function platform(): DesktopBridge['platform'] {
  return process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux'
}

const desktop: DesktopBridge = {
  host: 'electron',
  platform: platform(),
  server: {
    storageKey: call('server.storageKey'),
    current: call('server.current'),
    check: call('server.check'),
    connect: call('server.connect'),
    useEmbedded: call('server.useEmbedded'),
  },
  session: {
    getItem: call('session.getItem'),
    setItem: call('session.setItem'),
    removeItem: call('session.removeItem'),
    persistence: call('session.persistence'),
    keepAnyway: call('session.keepAnyway'),
  },
  files: {
    pick: call('files.pick'),
    pickPhotos: call('files.pickPhotos'),
    readPicked: call('files.readPicked'),
    takeOpened: call('files.takeOpened'),
    takeOpenedVideo: call('files.takeOpenedVideo'),
    forgetOpened: call('files.forgetOpened'),
    savePicture: call('files.savePicture'),
    onPictureAsked: listen('files.pictureAsked'),
    onOpened: listen('files.opened'),
  },
  preferences: {
    get: call('preferences.get'),
    set: call('preferences.set'),
    onChange: listen('preferences.changed'),
  },
  notifications: {
    show: call('notifications.show'),
    dismiss: call('notifications.dismiss'),
    shown: call('notifications.shown'),
    takeAnswers: call('notifications.takeAnswers'),
    onAnswered: listen('notifications.answered'),
  },
  badge: { set: call('badge.set') },
  uploads: { show: call('uploads.show') },
  navigation: { listen: call('navigation.listen'), onNavigate: listen('navigate') },
  serverLinks: { take: call('serverLinks.take'), onOpened: listen('serverLinks.opened') },
  authLinks: { take: call('authLinks.take'), onOpened: listen('authLinks.opened') },
  find: { search: call('find.search'), stop: call('find.stop'), onAsked: listen('find.asked') },
  quit: { onAsked: listen('quit.asked'), agree: call('quit.agree'), setBusy: call('quit.setBusy') },
  window: { state: call('window.state'), onChange: listen('window.changed') },
  system: {
    abilities: call('system.abilities'),
    restart: call('system.restart'),
    onResume: listen('power.resumed'),
  },
  updates: {
    state: call('updates.state'),
    check: call('updates.check'),
    download: call('updates.download'),
    install: call('updates.install'),
    onChange: listen('updates.changed'),
  },
  help: {
    copyDiagnostics: call('help.copyDiagnostics'),
    openLog: call('help.openLog'),
    showDataFolder: call('help.showDataFolder'),
  },
  recovery: { take: call('recovery.take') },
  shell: {
    openExternal: call('shell.openExternal'),
    showMailFile: call('shell.showMailFile'),
  },
  backend: {
    state: call('backend.state'),
    retry: call('backend.retry'),
    restore: call('backend.restore'),
    onChange: listen('backend.changed'),
  },
  log: { write: call('log.write') },
}

contextBridge.exposeInMainWorld('desktop', desktop)
