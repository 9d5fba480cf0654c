import { Moon, Sun, SunMoon } from 'lucide-react'
import { useState } from 'react'
import { Menu } from '../parts/menu.tsx'

const themes = [
  { name: 'system', label: 'System', icon: SunMoon },
  { name: 'light', label: 'Light', icon: Sun },
  { name: 'dark', label: 'Dark', icon: Moon },
] as const

type Theme = (typeof themes)[number]

function readTheme(): Theme {
  const stored = localStorage.getItem('theme')
  return themes.find(({ name }) => name === stored) ?? themes[0]
}

/** Remembered in this browser; `theme.js` sets it before the first paint of the next page. */
function saveTheme({ name }: Theme): void {
  const { documentElement } = document
  if (name === 'system') {
    localStorage.removeItem('theme')
    delete documentElement.dataset['theme']
  } else {
    localStorage.setItem('theme', name)
    documentElement.dataset['theme'] = name
  }
}

export function ThemeMenu() {
  const [theme, setTheme] = useState(readTheme)
  const Icon = theme.icon
  return (
    <Menu
      label={`Theme: ${theme.label}`}
      buttonClass="inline-flex size-8 items-center justify-center rounded-md text-muted hover:bg-raised hover:text-text"
      items={themes.map((choice) => ({
        label: choice.label,
        onSelect: () => {
          saveTheme(choice)
          setTheme(choice)
        },
      }))}
    >
      <Icon aria-hidden size={16} />
    </Menu>
  )
}
