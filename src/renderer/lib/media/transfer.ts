/** The part of a DataTransfer that is looked at. */
interface Transfer {
  readonly types: readonly string[]
  readonly files: ArrayLike<File>
}

/**
 * The picture in what is pasted, else any file, so that a wrong one is refused in words; null where text is meant.
 * Word processors and spreadsheets put a picture of the selected text beside it.
 */
export function pictureFromClipboard(data: Transfer): File | null {
  const isFormattedText = data.types.includes('text/html') && data.types.includes('text/plain')
  return isFormattedText ? null : firstPicture(data)
}

/** The picture in what is dropped, else any file, so that a wrong one is refused in words. */
export function pictureFromDrop(data: Transfer): File | null {
  return firstPicture(data)
}

function firstPicture({ files }: Transfer): File | null {
  const all = Array.from(files)
  return all.find((file) => file.type.startsWith('image/')) ?? all[0] ?? null
}
