/**
 * Marks on the root element whether the member uses the pointer or the keyboard. Menus, dialogs and tabs move the focus
 * by script, which Chromium treats as keyboard focus: pointer users would see focus rings.
 */
export function trackPointerInput(): void {
  const { dataset } = document.documentElement
  window.addEventListener('pointerdown', () => (dataset.pointing = ''), { capture: true })
  window.addEventListener('keydown', () => delete dataset.pointing, { capture: true })
}
