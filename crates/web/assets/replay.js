/** Looking at a game again once it is over. */

export function openReplay() {}
