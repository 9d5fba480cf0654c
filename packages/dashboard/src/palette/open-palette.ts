import { createStore } from '../browser/store.ts'

/** Holds whether the palette is open. */
export const isPaletteOpen = createStore(false)

export const openPalette = (): void => isPaletteOpen.set(true)
