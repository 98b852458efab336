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
  /** Null where the system's own spell checker detects the language: macOS. */
  languages(): SpellCheckLanguages | null
  /** @param chosen language codes; null leaves Chromium's choice, the language of the system. */
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
      // Electron throws for a language without a dictionary, which another version may have had.
      const available = new Set(session.availableSpellCheckerLanguages)
      try {
        session.setSpellCheckerLanguages(chosen.filter((language) => available.has(language)))
      } catch (cause) {
        log.warn('spell-checker languages not set', cause)
      }
    },
  }
}
