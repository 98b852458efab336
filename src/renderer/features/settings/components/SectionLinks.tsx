import { useEffect, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { useAbilities } from '#/renderer/features/desktop'
import { texts } from '#/renderer/lib/texts'
import { sectionId } from '../model'

const settings = texts.settings

/** The part of the window in which a section counts as shown. */
const SHOWN = '-15% 0px -75% 0px'

function useTitles(): string[] {
  const abilities = useAbilities()
  return [
    settings.privacy,
    settings.activity,
    settings.stories,
    settings.appearance,
    ...(abilities?.notifications === true ? [settings.notifications.title] : []),
    ...(abilities?.files === true ? [settings.computer.title] : []),
    texts.safety.title,
    settings.security.title,
    settings.account,
  ]
}

/** Scrolls to a section and moves the focus there, so that Tab goes on in it. */
function goTo(id: string): void {
  document.getElementById(id)?.scrollIntoView()
  document.getElementById(`${id}-title`)?.focus({ preventScroll: true })
}

/** Links to the sections, in wide windows; an address with a section's id opens it. */
export function SectionLinks() {
  const titles = useTitles()
  const ids = titles.map(sectionId)
  const { hash } = useLocation()
  const [inView, setInView] = useState(ids[0])
  // The page cannot scroll the last sections to the top, so a chosen section stays current until the member scrolls.
  const [chosen, setChosen] = useState<string | null>(null)
  const current = chosen ?? inView
  useEffect(() => goTo(hash.slice(1)), [hash])

  useEffect(() => {
    const forget = () => setChosen(null)
    window.addEventListener('wheel', forget, { passive: true })
    window.addEventListener('touchmove', forget, { passive: true })
    return () => {
      window.removeEventListener('wheel', forget)
      window.removeEventListener('touchmove', forget)
    }
  }, [])

  const observed = ids.join()
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const shown = entries.find(({ isIntersecting }) => isIntersecting)
        if (shown !== undefined) setInView(shown.target.id)
      },
      { rootMargin: SHOWN },
    )
    for (const id of observed.split(',')) {
      const section = document.getElementById(id)
      if (section !== null) observer.observe(section)
    }
    return () => observer.disconnect()
  }, [observed])

  return (
    <nav
      aria-label={settings.sections}
      className="sticky top-[calc(var(--bar-height)+var(--notice-height)+16px)] self-start max-lg:hidden"
    >
      <ul className="grid gap-0.5">
        {titles.map((title) => {
          const id = sectionId(title)
          return (
            <li key={id}>
              <a
                href={`#${id}`}
                aria-current={id === current ? 'location' : undefined}
                onClick={(event) => {
                  // The address stays, so that 'Back' leaves the settings.
                  event.preventDefault()
                  goTo(id)
                  setChosen(id)
                }}
                className="block rounded-md px-3 py-2 font-medium text-[14.5px] text-quiet hover:bg-sunk hover:text-ink aria-[current]:bg-lifted aria-[current]:text-ink"
              >
                {title}
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
