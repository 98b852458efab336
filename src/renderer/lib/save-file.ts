/** By then the browser has begun to read the file, in milliseconds. */
const RELEASE_MS = 60_000

/** Saves a file where the member's downloads go, or where they choose. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), RELEASE_MS)
}
