"""What a teacher can put to a class, and what its answers tell: without a server, a browser or a widget.

Each activity is a frozen value that survives JSON. It says what the phones of students are given (`asked`), takes an
answer or refuses it (`read`), and turns the answers of a class into the numbers and sentences of the teacher's board
(`board`). `serving.classroom` carries these between phones, board and the file in which a class is kept.
"""

from lmdk_widgets.course.classroom.activity import ACTIVITIES, Activity, activity, stored
from lmdk_widgets.course.classroom.duel import Duel
from lmdk_widgets.course.classroom.guess import Guess
from lmdk_widgets.course.classroom.poll import Poll
from lmdk_widgets.course.classroom.response import Response

__all__ = ["ACTIVITIES", "Activity", "Duel", "Guess", "Poll", "Response", "activity", "stored"]
