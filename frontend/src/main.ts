// The little that a page needs beside the server's HTML. Without any of it, every form and link still works.
import "./live";
import { clocks } from "./clock";
import { announceKeys } from "./keys";
import { notices } from "./notices";
import { copyButtons, names, ownPlace, popovers, sheet, shelf, shift } from "./page";
import { passkeys } from "./passkeys";
import { picker } from "./picker";
import { verify } from "./verify";

document.documentElement.classList.add("js");
shift();
copyButtons();
names();
popovers();
sheet();
shelf();
ownPlace();
announceKeys();
passkeys();
picker();
verify();
clocks();
notices();
