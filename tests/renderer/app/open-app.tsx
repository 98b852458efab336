import { cleanup } from '@testing-library/react'
import { useEffect } from 'react'
import { type Location, useLocation, useNavigate } from 'react-router-dom'
import { AppRoutes } from '#/renderer/app/routes'
import { show } from '#tests/renderer/dom'

/** The window of the app, as the member sees it. */
export const app = {
  location: {} as Location,
  /** The paths that were open, oldest first. */
  paths: [] as string[],
  go: (_to: string | number): void => undefined,
}

function Window() {
  const location = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    app.location = location
    app.paths.push(location.pathname)
    app.go = (to) => void (typeof to === 'number' ? navigate(to) : navigate(to))
  }, [location, navigate])
  return null
}

/** Starts all screens of the app with this history, whose last path is open. */
export function openApp(...paths: string[]): void {
  cleanup()
  app.paths = []
  show(
    <>
      <Window />
      <AppRoutes />
    </>,
    { paths },
  )
}
