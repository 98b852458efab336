/** A file that is dropped where nobody takes it would replace the page, and with it whatever is typed there. */
export function keepPageOnFileDrops(): void {
  const handle = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
  }
  window.addEventListener('dragover', handle)
  window.addEventListener('drop', handle)
}
