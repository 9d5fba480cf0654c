import { useSyncExternalStore } from 'react'
import { Menu } from '../parts/menu.tsx'
import { chosenTheme, saveTheme, themes } from './theme.ts'

export function ThemeMenu() {
  const theme = useSyncExternalStore(chosenTheme.subscribe, chosenTheme.get)
  const Icon = theme.icon
  return (
    <Menu
      label={`Theme: ${theme.label}`}
      buttonClass="inline-flex size-8 items-center justify-center rounded-md text-muted hover:bg-raised hover:text-text"
      items={themes.map((choice) => ({
        label: choice.label,
        onSelect: () => saveTheme(choice),
      }))}
    >
      <Icon aria-hidden size={16} />
    </Menu>
  )
}
