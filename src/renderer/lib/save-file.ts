/** Time after which the browser has started to read the file, in milliseconds. */
const RELEASE_MS = 60_000

/** Saves a file to the downloads folder, or asks where, depending on the browser's settings. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), RELEASE_MS)
}
