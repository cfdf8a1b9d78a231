"""A class on the server: the teacher's board, the phones of students, and the file that keeps their answers.

`room` holds what goes on, `store` writes it down before anyone is told that it arrived, `phones` and `board` are the
addresses, `limits` refuses who asks too much. What is asked and what answers tell is in `lmdk_widgets.course.classroom`.
"""
