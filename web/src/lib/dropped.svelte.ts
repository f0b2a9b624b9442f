// The file that was dropped last, on whichever screen.
export interface Dropped {
  name: string;
  content: string;
}

export const dropped = $state<{ file: Dropped | null }>({ file: null });
