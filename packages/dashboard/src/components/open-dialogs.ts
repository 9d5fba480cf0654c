import { createStore } from '../browser/store.ts'

const dialogs = createStore<readonly HTMLDialogElement[]>([])

/** Holds the modal dialogs that are open. Outside of the one on top nothing can be pressed, and nothing is read out. */
export const openDialogs = {
  get: (): HTMLDialogElement | undefined => dialogs.get().at(-1),
  add: (dialog: HTMLDialogElement): void => dialogs.set([...dialogs.get(), dialog]),
  remove: (dialog: HTMLDialogElement): void =>
    dialogs.set(dialogs.get().filter((one) => one !== dialog)),
  subscribe: dialogs.subscribe,
}
