import { Menu } from '../components/menu.tsx'
import { useStore } from '../browser/store.ts'
import { chosenTheme, themes } from '../browser/theme.ts'

/** Lets a person choose the theme of this browser. */
export function ThemeMenu() {
  const theme = useStore(chosenTheme)
  const Icon = theme.icon
  return (
    <Menu
      label={`Theme: ${theme.label}`}
      buttonClass="inline-flex size-8 items-center justify-center rounded-md text-muted hover:bg-raised hover:text-text"
      items={themes.map((choice) => ({
        label: choice.label,
        onSelect: () => chosenTheme.set(choice),
      }))}
    >
      <Icon aria-hidden size={16} />
    </Menu>
  )
}
