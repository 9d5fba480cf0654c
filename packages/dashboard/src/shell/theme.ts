import { Moon, Sun, SunMoon } from 'lucide-react'

export const themes = [
  { name: 'system', label: 'System', icon: SunMoon },
  { name: 'light', label: 'Light', icon: Sun },
  { name: 'dark', label: 'Dark', icon: Moon },
] as const

export type Theme = (typeof themes)[number]

const listeners = new Set<() => void>()

/** The theme that was chosen in this browser, kept up to date for `useSyncExternalStore`. */
export const chosenTheme = {
  get: (): Theme => {
    const stored = localStorage.getItem('theme')
    return themes.find(({ name }) => name === stored) ?? themes[0]
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** Remembered in this browser; `theme.js` sets it before the first paint of the next page. */
export function saveTheme({ name }: Theme): void {
  const { documentElement } = document
  if (name === 'system') {
    localStorage.removeItem('theme')
    delete documentElement.dataset['theme']
  } else {
    localStorage.setItem('theme', name)
    documentElement.dataset['theme'] = name
  }
  for (const listener of listeners) listener()
}
