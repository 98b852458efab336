export const settingsKeys = {
  sessions: ['sessions'] as const,
  recentSignIn: ['recent sign-in'] as const,
  newSignIns: ['new sign-ins'] as const,
}
