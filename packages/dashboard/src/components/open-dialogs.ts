import { createStore } from '../browser/store.ts'

const dialogs = createStore<readonly HTMLDialogElement[]>([])

/** Lists the open modal dialogs. Nothing outside of the topmost one can be pressed or is read out. */
export const openDialogs = {
  get: (): HTMLDialogElement | undefined => dialogs.get().at(-1),
  add: (dialog: HTMLDialogElement): void => show([...dialogs.get(), dialog]),
  remove: (dialog: HTMLDialogElement): void => show(dialogs.get().filter((one) => one !== dialog)),
  subscribe: dialogs.subscribe,
}

/** Closes every open dialog, the topmost first, as Escape would. One that is shown only once stays. */
export function closeDialogs(): void {
  for (const dialog of dialogs.get().toReversed()) {
    dialog.dispatchEvent(new Event('cancel', { cancelable: true }))
  }
}

/** Marks the dialogs below the topmost one: only the topmost dims what is behind it, so that nothing is dimmed twice. */
function show(open: readonly HTMLDialogElement[]): void {
  for (const [index, dialog] of open.entries()) {
    dialog.toggleAttribute('data-covered', index < open.length - 1)
  }
  dialogs.set(open)
}
