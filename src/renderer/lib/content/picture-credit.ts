/** Attributes of an `<img>` that name its author and time, for the file name of a saved picture. */
export function creditOf(author: string, createdAt: string) {
  return { 'data-author': author, 'data-created-at': createdAt }
}
