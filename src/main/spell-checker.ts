import type { Session } from 'electron'
import type { SpellCheckLanguages } from '#/shared/bridge'
import type { Log } from './log'

export interface SpellCheckerParts {
  session: Pick<
    Session,
    'availableSpellCheckerLanguages' | 'getSpellCheckerLanguages' | 'setSpellCheckerLanguages'
  >
  platform: NodeJS.Platform
  log: Pick<Log, 'warn'>
}

export interface SpellChecker {
  /** Null on macOS, whose spell checker detects the language. */
  languages(): SpellCheckLanguages | null
  /** @param chosen language codes; null keeps Chromium's default, the system's language. */
  setLanguages(chosen: readonly string[] | null): void
}

export function createSpellChecker({ session, platform, log }: SpellCheckerParts): SpellChecker {
  if (platform === 'darwin') return { languages: () => null, setLanguages: () => undefined }
  return {
    languages: () => ({
      available: [...session.availableSpellCheckerLanguages],
      current: session.getSpellCheckerLanguages(),
    }),
    setLanguages: (chosen) => {
      if (chosen === null) return
      // Electron throws for a language without a dictionary. The stored ones may come from another version.
      const available = new Set(session.availableSpellCheckerLanguages)
      try {
        session.setSpellCheckerLanguages(chosen.filter((language) => available.has(language)))
      } catch (cause) {
        log.warn('could not set the spell-checker languages', cause)
      }
    },
  }
}
