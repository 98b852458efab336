import { type ComponentType, createContext, type ReactNode } from 'react'

interface StoryLinkProps {
  id: string
  className?: string
  children: ReactNode
}

/** A link that opens a story. `app/` provides it, because stories import messages. */
export const StoryLinkContext = createContext<ComponentType<StoryLinkProps>>(({ children }) => children)
