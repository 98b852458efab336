/** Kept as long as the window's history, which survives a reload too. */
const keyOf = (id: string) => `vignette.former-names.${id}`

function read(id: string): string[] {
  return sessionStorage.getItem(keyOf(id))?.split(',') ?? []
}

/** Says that a member of this window bore another username until now. */
export function rememberFormerName(id: string, username: string): void {
  sessionStorage.setItem(keyOf(id), [...new Set([...read(id), username])].join())
}

/** Whether a member of this window bore this username before. */
export function isFormerName(id: string, username: string): boolean {
  return read(id).includes(username)
}
