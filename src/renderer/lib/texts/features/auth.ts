import { isolate } from '#/shared/bidi'
import { PASSWORD_BYTES_MAX, PASSWORD_MIN, USERNAME } from '#/shared/limits'

export const auth = {
  email: 'Email',
  password: 'Password',
  fullName: 'Full name',
  username: 'Username',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  signingIn: 'Signing in...',
  signInFailed: 'An error occurred during login',
  noAccount: 'New here?',
  toSignup: 'Create an account',
  forgot: 'Forgot password?',
  signingUp: 'Signing up...',
  signUpFailed: 'An error occurred during sign up',
  haveAccount: 'Have an account?',
  toLogin: 'Sign in',
  passwordHint: `At least ${PASSWORD_MIN} characters`,
  passwordProblems: {
    'too-long': `This password is too long. Use at most ${PASSWORD_BYTES_MAX} letters; those with accents, of other scripts, and emoji count two to four times.`,
    'own-name': 'Others would try your name first. Choose another password.',
    common: 'This password is one of the first that others try. Choose another one.',
  },
  missing: {
    fullName: 'Enter your name.',
    email: 'Enter your email address.',
    password: 'Choose a password.',
  },
  emailInvalid: 'This is not an email address. It looks like name@example.com.',
  usernameHint: `${USERNAME.min}–${USERNAME.max} characters: a–z, 0–9, dot, underscore`,
  usernameRejected: (character: string) =>
    `${character === ' ' ? 'Spaces are' : `‘${isolate(character)}’ is`} not allowed. Use a–z, 0–9, dots and underscores.`,
  usernameTaken: 'This username is taken. Choose another one.',
  createdTitle: 'Account Created!',
  createdBody: 'Welcome to Vignette! Redirecting you now...',
  mailSentTitle: 'Check your mail',
  mailSentBody: (email: string) =>
    `We sent a message to ${isolate(email)}. Follow its link, then sign in here: your profile is made at that moment.`,
  chooseUsernameTitle: 'Choose a username',
  chooseUsernameBody: 'Your account is there; only its name is missing.',
  continue: 'Continue',
  continuing: 'One moment...',
  recoverTitle: 'Reset your password',
  recoverBody: 'We send a code to your email address.',
  sendCode: 'Send code',
  haveCode: 'I have a code',
  sendNewCode: 'Send a new code',
  newCodeSent: 'A new code is on its way. Earlier codes no longer work.',
  sendingCode: 'Sending...',
  codeTitle: 'Enter the code',
  codeBody: (email: string) =>
    `If ${isolate(email)} belongs to an account, a mail with a code or a link is on its way.`,
  codeOnlyBody: (email: string) =>
    `If ${isolate(email)} belongs to an account, a mail with a code is on its way. Its link cannot open Vignette on this computer: enter the code.`,
  codeFile: 'This server has no mail: it writes messages to a file on this computer.',
  showCodeFile: 'Show the file',
  code: 'Code from the mail',
  newPassword: 'New password',
  setPassword: 'Set new password',
  settingPassword: 'Saving...',
  recoverFailed: 'That did not work. Please try again.',
  codeWrong: 'This code is wrong or has expired. Ask for a new one if need be.',
  recoveryLost:
    'Another window signed in or out, which ended the step for a new password. If the new password does not work, ask for a new code.',
  backToSignIn: 'Back to sign in',
  ended: {
    password: (at: string) => `Your password was changed on ${at}. This device was signed out.`,
    passwordNotYou: 'If that was not you, choose ‘Forgot password?’ below.',
    email: (at: string) =>
      `Your e-mail was changed on ${at}. This device was signed out. Sign in with the new address.`,
    emailNotYou:
      'If that was not you, choose ‘Forgot password?’ and enter your former e-mail. It can recover the account for seven days.',
    device: (at: string) => `This device was signed out on ${at}.`,
  },
  lookAround: 'or look around as',
  demoMember: (name: string) => `Look around as ${isolate(name)}`,
} as const
