// How many texts wait for a reviewer, for the bar at the top.
export const queue = $state({ waiting: 0 });
