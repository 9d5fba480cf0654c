import { createStore } from '../browser/store.ts'

const dialogs = createStore<readonly HTMLDialogElement[]>([])

/** Lists the open modal dialogs. Nothing outside of the topmost one can be pressed or is read out. */
export const openDialogs = {
  get: (): HTMLDialogElement | undefined => dialogs.get().at(-1),
  add: (dialog: HTMLDialogElement): void => dialogs.set([...dialogs.get(), dialog]),
  remove: (dialog: HTMLDialogElement): void =>
    dialogs.set(dialogs.get().filter((one) => one !== dialog)),
  subscribe: dialogs.subscribe,
}
