import { createStore } from '../browser/store.ts'

/** Holds whether the list of keys is open. */
export const isKeyboardHelpOpen = createStore(false)

/** Opens the list of keys, for a person who does not know that `?` does. */
export const openKeyboardHelp = (): void => isKeyboardHelpOpen.set(true)
