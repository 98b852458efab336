const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
}

interface MediaFile {
  bytes: Uint8Array<ArrayBuffer>
  extension: string
}

/** A picture or video as the database keeps it, made a file again; null for what is neither. */
export function mediaFile(dataUrl: string): MediaFile | null {
  const [, type = '', data = ''] = /^data:([a-z]+\/[a-z0-9]+);base64,(.*)$/s.exec(dataUrl) ?? []
  const extension = EXTENSIONS[type]
  if (extension === undefined) return null
  try {
    return { bytes: Uint8Array.from(atob(data), (char) => char.charCodeAt(0)), extension }
  } catch {
    return null
  }
}

/** Where a file lies in the archive: `posts/2026-11-21-1f0c….webp`. Nothing in it can lead out of its folder. */
export function mediaPath(
  folder: string,
  { created_at, id }: { created_at: string; id: string },
  extension: string,
) {
  const plain = (text: string) => text.replace(/[^A-Za-z0-9-]/g, '')
  return `${folder}/${plain(created_at.slice(0, 10))}-${plain(id)}.${extension}`
}
