from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("contests", "0003_tournaments")]

    operations = [migrations.DeleteModel(name="Table")]
