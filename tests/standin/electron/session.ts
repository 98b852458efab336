import type { DownloadItem, Session } from 'electron'
import { knowsOnly, PreventableEvent, requireReady, StandinEmitter, strict, type Unknown } from './life'
import { record } from './record'

type RequestHandler = Parameters<Session['setPermissionRequestHandler']>[0]
type CheckHandler = Parameters<Session['setPermissionCheckHandler']>[0]
type DeviceHandler = Parameters<Session['setDevicePermissionHandler']>[0]
type DisplayHandler = Parameters<Session['setDisplayMediaRequestHandler']>[0]

class StandinDownload extends StandinEmitter {
  readonly #url: string
  readonly #filename: string

  constructor(url: string, filename: string) {
    super('DownloadItem')
    this.#url = url
    this.#filename = filename
  }

  getURL(): string {
    return this.#url
  }

  getFilename(): string {
    return this.#filename
  }
}
knowsOnly<Unknown<StandinDownload, DownloadItem>>()

/** Allowed downloads by URL. */
const downloads = new Map<string, StandinDownload>()

/** Starts a download; returns whether it is allowed. */
export function beginDownload(url: string, filename: string): boolean {
  const item = new StandinDownload(url, filename)
  const event = new PreventableEvent()
  standinSession.emit('will-download', event, strict('DownloadItem', item))
  if (!event.defaultPrevented) downloads.set(url, item)
  return !event.defaultPrevented
}

/** Finishes or cancels the download. */
export function endDownload(url: string): void {
  downloads.get(url)?.emit('done', new PreventableEvent(), 'completed')
  downloads.delete(url)
}

/** Chromium's server; a URL of a dictionary ends with its language. */
let dictionaryUrl = 'https://redirector.gvt1.com/edgedl/chrome/dict/'
let loads = 0

/**
 * As Chromium's SpellcheckService::LoadDictionaries: a dictionary is loaded whether or not spelling is checked. Its file is looked for on
 * another thread, and then downloaded from the URL of that moment, unless the languages have changed.
 */
function loadDictionaries(): void {
  if (process.platform === 'darwin') return
  const load = ++loads
  setImmediate(() => {
    if (load !== loads) return
    for (const language of record.spellCheckerLanguages)
      record.dictionaries.push(`${dictionaryUrl}${language.toLowerCase()}`)
  })
}

/** The handlers that the app set; null where Electron would grant everything. */
export const permissionHandlers = {
  request: null as RequestHandler,
  check: null as CheckHandler,
  device: null as DeviceHandler,
  display: null as DisplayHandler,
}

class StandinSession extends StandinEmitter {
  constructor() {
    super('session')
  }

  setPermissionRequestHandler(handler: RequestHandler): void {
    permissionHandlers.request = handler
  }

  setPermissionCheckHandler(handler: CheckHandler): void {
    permissionHandlers.check = handler
  }

  setDevicePermissionHandler(handler: DeviceHandler): void {
    permissionHandlers.device = handler
  }

  setDisplayMediaRequestHandler(handler: DisplayHandler): void {
    permissionHandlers.display = handler
  }

  readonly availableSpellCheckerLanguages = ['de', 'en-GB', 'en-US', 'fr']

  setSpellCheckerLanguages(languages: string[]): void {
    const unknown = languages.find((language) => !this.availableSpellCheckerLanguages.includes(language))
    if (unknown !== undefined)
      throw new Error(`Invalid language code provided: "${unknown}" is not a valid language code`)
    // macOS detects languages itself.
    if (process.platform === 'darwin') return
    record.spellCheckerLanguages = languages
    loadDictionaries()
  }

  setSpellCheckerDictionaryDownloadURL(url: string): void {
    if (!URL.canParse(url))
      throw new Error('The URL you provided to setSpellCheckerDictionaryDownloadURL is not a valid URL')
    if (process.platform !== 'darwin') dictionaryUrl = url
  }

  addWordToSpellCheckerDictionary(word: string): boolean {
    record.editing.push(`learn ${word}`)
    return true
  }

  /** Page storage is in the test's browser, which outlives the app. */
  flushStorageData(): void {
    record.flushes += 1
  }
}

knowsOnly<Unknown<StandinSession, Session>>()

export const standinSession = new StandinSession()
const strictSession = strict('session.defaultSession', standinSession)

export const session = strict('session', {
  get defaultSession() {
    requireReady('Session')
    // Electron's constructor, in the first use.
    if (loads === 0) loadDictionaries()
    return strictSession
  },
})
