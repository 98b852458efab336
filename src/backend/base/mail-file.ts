import { appendFile, rename, stat } from 'node:fs/promises'
import type { EmailDriver } from '@supabase/lite'

/** A larger file, in bytes, is renamed to `….old`. */
const MAIL_FILE_MAX = 1_000_000

/** Replaces a mail server: appends each mail to a file that only its owner can read. */
export function createMailFile(path: string, now: () => Date = () => new Date()): EmailDriver {
  return {
    send: async ({ to, subject, text, html }) => {
      const size = await stat(path).then(
        (file) => file.size,
        () => 0,
      )
      if (size > MAIL_FILE_MAX) await rename(path, `${path}.old`)
      const lines = [
        `Date: ${now().toUTCString()}`,
        `To: ${to}`,
        `Subject: ${subject}`,
        '',
        text ?? html ?? '',
      ]
      await appendFile(path, `${lines.join('\n')}\n\n${'-'.repeat(72)}\n\n`, { mode: 0o600 })
    },
  }
}
