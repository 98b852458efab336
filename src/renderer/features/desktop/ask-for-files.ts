/**
 * Shows the file dialog of the page; no files if it is cancelled. Works during a click only.
 *
 * @param accept of `<input type=file>`
 */
export function askForFiles(accept: string, isMultiple: boolean): Promise<readonly File[]> {
  return new Promise((resolve) => {
    const input = document.createElement('input')
    input.type = 'file'
    input.accept = accept
    input.multiple = isMultiple
    input.addEventListener('cancel', () => resolve([]))
    input.addEventListener('change', () => resolve([...(input.files ?? [])]))
    input.click()
  })
}
