/**
 * Says on the root element whether the member points or types. Menus, dialogs and tabs move the focus by script, which
 * Chromium takes for the keyboard: who points would see rings around what they never asked for.
 */
export function followPointing(): void {
  const { dataset } = document.documentElement
  window.addEventListener('pointerdown', () => (dataset.pointing = ''), { capture: true })
  window.addEventListener('keydown', () => delete dataset.pointing, { capture: true })
}
