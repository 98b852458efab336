import type { DesktopBridge } from '#/shared/bridge'

/** Why every call to `refusingDesktop` fails. */
export const REFUSED = new Error('the main process refused')

const refuse = (): Promise<never> => Promise.reject(REFUSED)
const listen = () => () => undefined

/** A desktop whose every call fails. */
export const refusingDesktop: DesktopBridge = {
  host: 'electron',
  platform: 'linux',
  server: {
    storageKey: refuse,
    current: refuse,
    check: refuse,
    connect: refuse,
    useEmbedded: refuse,
  },
  session: {
    getItem: refuse,
    setItem: refuse,
    removeItem: refuse,
    persistence: refuse,
    keepAnyway: refuse,
  },
  files: {
    pick: refuse,
    pickPhotos: refuse,
    readPicked: refuse,
    takeOpened: refuse,
    takeOpenedVideo: refuse,
    forgetOpened: refuse,
    savePicture: refuse,
    onPictureAsked: listen,
    onOpened: listen,
  },
  preferences: { get: refuse, set: refuse, onChange: listen },
  notifications: { show: refuse, dismiss: refuse, shown: refuse, takeAnswers: refuse, onAnswered: listen },
  badge: { set: refuse },
  uploads: { show: refuse },
  navigation: { listen: refuse, onNavigate: listen },
  serverLinks: { take: refuse, onOpened: listen },
  authLinks: { take: refuse, onOpened: listen },
  find: { search: refuse, stop: refuse, onAsked: listen },
  quit: { onAsked: listen, agree: refuse, setBusy: refuse },
  window: { state: refuse, onChange: listen },
  system: { abilities: refuse, restart: refuse, onResume: listen },
  updates: { state: refuse, check: refuse, download: refuse, install: refuse, onChange: listen },
  help: { copyDiagnostics: refuse, openLog: refuse, showDataFolder: refuse },
  recovery: { take: refuse },
  shell: { openExternal: refuse, showMailFile: refuse },
  backend: { state: refuse, retry: refuse, restore: refuse, onChange: listen },
  log: { write: refuse },
}
