interface Transfer {
  readonly types: readonly string[]
  readonly files: ArrayLike<File>
}

/**
 * Returns the pasted picture, or else any file, so that an unsupported one gets an error message; null for text. Word
 * processors and spreadsheets also put a picture of the selected text on the clipboard.
 */
export function pictureFromClipboard(data: Transfer): File | null {
  const isFormattedText = data.types.includes('text/html') && data.types.includes('text/plain')
  return isFormattedText ? null : firstPicture(data)
}

/** Returns the dropped picture, or else any file, so that an unsupported one gets an error message. */
export function pictureFromDrop(data: Transfer): File | null {
  return firstPicture(data)
}

function firstPicture({ files }: Transfer): File | null {
  const all = Array.from(files)
  return all.find((file) => file.type.startsWith('image/')) ?? all[0] ?? null
}
