import { Moon, Sun, SunMoon } from 'lucide-react'
import { createPreference } from './store.ts'

/** Lists the themes that a person can choose. */
export const themes = [
  { name: 'system', label: 'System', icon: SunMoon },
  { name: 'light', label: 'Light', icon: Sun },
  { name: 'dark', label: 'Dark', icon: Moon },
] as const

export type Theme = (typeof themes)[number]

const preference = createPreference('theme')

/** Holds the theme of this browser. `theme.js` applies it before the first paint of the next page. */
export const chosenTheme = {
  get: (): Theme => themes.find(({ name }) => name === preference.get()) ?? themes[0],
  set: ({ name }: Theme): void => {
    const { documentElement } = document
    if (name === 'system') delete documentElement.dataset['theme']
    else documentElement.dataset['theme'] = name
    preference.set(name === 'system' ? null : name)
  },
  subscribe: preference.subscribe,
}
