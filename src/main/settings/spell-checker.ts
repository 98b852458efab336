import type { App, Session } from 'electron'
import type { Log } from '#/main/log'
import type { SpellCheckLanguages } from '#/shared/bridge'

export interface SpellCheckerParts {
  session: Pick<
    Session,
    'availableSpellCheckerLanguages' | 'setSpellCheckerLanguages' | 'setSpellCheckerDictionaryDownloadURL'
  >
  app: Pick<App, 'getPreferredSystemLanguages'>
  platform: NodeJS.Platform
  log: Pick<Log, 'warn'>
}

export interface SpellChecker {
  /** Null on macOS, whose spell checker detects the language. */
  languages(): SpellCheckLanguages | null
  /**
   * Checks spelling in these languages, and downloads missing dictionaries. An empty list turns both off. Call it while the
   * `ready` event is handled: `Session` loads the dictionaries that it finds in its settings, the system's language if
   * these name no language, whether or not spelling is checked (electron_api_session.cc, electron_browser_context.cc,
   * Chromium's spellcheck_service.cc). The download starts only after the file was looked for on another thread.
   * @param chosen language codes
   */
  setLanguages(chosen: readonly string[]): void
}

/** Where Chromium downloads dictionaries. Electron cannot unset another address. */
const DICTIONARIES = 'https://redirector.gvt1.com/edgedl/chrome/dict/'
/** Chromium refuses this port before it connects (net/base/port_util.cc), so that nothing is downloaded. */
const NOWHERE = 'https://127.0.0.1:1/'
/** Every version of Chromium has a dictionary for it. */
const FALLBACK = 'en-US'

/** The first of the member's languages with a dictionary, of another region if necessary. */
function suggestedLanguage(available: readonly string[], preferred: readonly string[]): string {
  const base = (code: string) => code.split('-', 1)[0]
  for (const wanted of preferred) {
    const found =
      available.find((code) => code === wanted) ??
      available.find((code) => code === base(wanted)) ??
      available.find((code) => base(code) === base(wanted))
    if (found !== undefined) return found
  }
  return FALLBACK
}

export function createSpellChecker({ session, app, platform, log }: SpellCheckerParts): SpellChecker {
  if (platform === 'darwin') return { languages: () => null, setLanguages: () => undefined }
  return {
    languages: () => {
      const available = [...session.availableSpellCheckerLanguages]
      return { available, suggested: suggestedLanguage(available, app.getPreferredSystemLanguages()) }
    },
    setLanguages: (chosen) => {
      // Electron throws for a language without a dictionary. The stored ones may come from another version.
      const available = new Set(session.availableSpellCheckerLanguages)
      const languages = chosen.filter((language) => available.has(language))
      try {
        session.setSpellCheckerDictionaryDownloadURL(languages.length === 0 ? NOWHERE : DICTIONARIES)
        session.setSpellCheckerLanguages(languages)
      } catch (cause) {
        log.warn('could not set the spell-checker languages', cause)
      }
    },
  }
}
