/** Prevents the browser from opening a dropped file, which would replace the page and lose unsaved text. */
export function preventFileNavigation(): void {
  const handle = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
  }
  window.addEventListener('dragover', handle)
  window.addEventListener('drop', handle)
}
