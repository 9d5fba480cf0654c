let open: readonly HTMLDialogElement[] = []
const listeners = new Set<() => void>()

function set(next: readonly HTMLDialogElement[]): void {
  open = next
  for (const listener of listeners) listener()
}

/** The modal dialogs that are open. Outside of the one on top nothing can be pressed, and nothing is read out. */
export const openDialogs = {
  top: (): HTMLDialogElement | undefined => open.at(-1),
  add: (dialog: HTMLDialogElement): void => set([...open, dialog]),
  remove: (dialog: HTMLDialogElement): void => set(open.filter((one) => one !== dialog)),
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
