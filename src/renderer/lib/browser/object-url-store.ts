/** The files behind object URLs: the Content-Security-Policy does not let the page read such a URL again. */
const files = new Map<string, Blob>()

/** Creates an object URL whose file `fileOf` returns. Release it with `releaseUrl`. */
export function createUrl(file: Blob): string {
  const url = URL.createObjectURL(file)
  files.set(url, file)
  return url
}

export function releaseUrl(url: string): void {
  files.delete(url)
  URL.revokeObjectURL(url)
}

/** The file behind a URL from `createUrl`; undefined for any other URL. */
export function fileOf(url: string): Blob | undefined {
  return files.get(url)
}
