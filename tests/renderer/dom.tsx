import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, renderHook, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactElement, ReactNode } from 'react'
import { MemoryRouter } from 'react-router-dom'
import { onTestFinished } from 'vitest'

/**
 * Tests that import this file run in a document (happy-dom), with real components, effects and stores. The document has no
 * layout: every element has the size 0, and nothing scrolls.
 */

interface Page {
  client?: QueryClient
  /** The history of the window, of which the last route is open. */
  paths?: string[]
}

const pageWith =
  ({ client = new QueryClient(), paths = ['/'] }: Page) =>
  ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={paths} initialIndex={paths.length - 1}>
        {children}
      </MemoryRouter>
    </QueryClientProvider>
  )

/** Renders an element on a page with a router and a query client. */
export function show(element: ReactElement, page: Page = {}) {
  return render(element, { wrapper: pageWith(page) })
}

/** Renders a component that calls the hook. `result.current` is what its latest render returned. */
export function showHook<T>(useHook: () => T, page: Page = {}) {
  return renderHook(useHook, { wrapper: pageWith(page) })
}

/** What the hook returns in the first render of a component. */
export function callHook<T>(useHook: () => T, client?: QueryClient): T {
  return showHook(useHook, client && { client }).result.current
}

/** Clicks a button, with the events of the pointer before it, as a member does. */
export async function press(name: string | RegExp, page: HTMLElement = document.body): Promise<void> {
  await userEvent.click(within(page).getByRole('button', { name }))
}

/** Replaces the text of a field. */
export function fill(label: string, value: string): void {
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
}

/** Submits the form of the page. */
export function submit(): void {
  const form = document.querySelector('form')
  if (form === null) throw new Error('There is no form')
  fireEvent.submit(form)
}

const NAMES = ['aria-label', 'placeholder', 'title', 'alt']

function textsOf(node: Node): string[] {
  if (node instanceof Text) return [node.data]
  const names = node instanceof Element ? NAMES.map((name) => node.getAttribute(name) ?? '') : []
  return [...names, ...[...node.childNodes].flatMap(textsOf)]
}

/** All texts of the page, also those of dialogs, accessible names and placeholders, with a space between them. */
export const pageText = (page: HTMLElement = document.body): string =>
  textsOf(page).join(' ').replaceAll(/\s+/g, ' ').trim()

/** Waits until pending promises, and what they render, are done. TanStack Query notifies its hooks in later tasks. */
export const settle = (): Promise<void> =>
  act(async () => {
    for (let task = 0; task < 5; task++) await new Promise((resolve) => setTimeout(resolve, 0))
  })

interface HappyWindow {
  happyDOM: { setViewport: (size: { width: number; height: number }) => void }
}

/** Gives the window this size until the end of the test, for what media queries decide. */
export function resize(width: number, height = 900): void {
  const { happyDOM } = window as unknown as HappyWindow
  const { innerWidth, innerHeight } = window
  act(() => happyDOM.setViewport({ width, height }))
  onTestFinished(() => happyDOM.setViewport({ width: innerWidth, height: innerHeight }))
}
