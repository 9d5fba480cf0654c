import { createStore } from '../browser/store.ts'

/** Holds whether the list of shortcuts is open. */
export const isKeyboardHelpOpen = createStore(false)

/** Opens the list of shortcuts by mouse. */
export const openKeyboardHelp = (): void => isKeyboardHelpOpen.set(true)
