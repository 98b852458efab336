import { createHash, randomInt } from 'node:crypto'

/** Sends a mail; the embedded server appends it to a file. */
export type SendMail = (mail: { to: string; subject: string; text: string }) => Promise<unknown>

/** A code as lite makes them: six digits, stored as a hash of the address and the code. */
export function createCode(email: string): { code: string; hash: string } {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  return {
    code,
    hash: createHash('sha256')
      .update(email.toLowerCase() + code)
      .digest('hex'),
  }
}

/** Tells the former address that it can recover the account. */
export function changedMail(to: string) {
  return {
    to,
    subject: 'Your e-mail was changed',
    text: `Your Vignette account no longer uses this address. If you changed that, there is nothing to do.

If it was not you, choose 'Forgot password?' in the app within seven days and enter this address. The account then gets this
address back, and all other devices are signed out.`,
  }
}

export function recoveryMail(to: string, code: string) {
  return {
    to,
    subject: 'Recover your account',
    text: `Enter this code: ${code}

The account then gets this address back, and all other devices are signed out. If you did not ask for a code, ignore this mail.`,
  }
}

/** Tells the address that a recovery has replaced. It cannot recover the account: somebody who took the account over may have set it. */
export function replacedMail(to: string) {
  return {
    to,
    subject: 'Your e-mail was replaced',
    text: `Somebody has recovered your Vignette account with the address that it had before, and it no longer uses this one.

If it was not you, somebody else can read the mails to your former address. Tell the person who runs your Vignette server.`,
  }
}
