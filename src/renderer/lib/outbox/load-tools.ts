/** Loads the code that prepares and uploads media, which is not in the first load. */
export async function loadMediaTools() {
  const [{ toStoredPicture }, { uploadParts }] = await Promise.all([
    import('#/renderer/lib/media/picture/prepare-picture'),
    import('./upload-parts'),
  ])
  return { toStoredPicture, uploadParts }
}
